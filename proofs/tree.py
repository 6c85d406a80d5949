# SPDX-License-Identifier: MIT
"""Refuses code that a compiler may read in more than one way, judged on the parsed tree of a unit.

WP and the compiler read the same text. They need not mean the same by it where C leaves a choice: the order in which operands
are evaluated, what a pointer may point to, what a variable holds that has no value. Each of these is refused, in the kernel and
in mechanisms that are not ours. The parser is pycparser. It reads the text that Frama-C reads and the compiler compiles; what it
cannot parse is refused. Pointers that change their type without a cast are the compiler's to refuse (text.py).
"""
import re
import sys

try:
    from pycparser import c_ast as c, c_parser
except ImportError: # Debian's package, where another Python than Debian's runs
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        from pycparser import c_ast as c, c_parser
    except ImportError:
        c = c_parser = None

from texts import COMMENT
from wp import Missing

# The one attribute that the kernel has (src/kernel/wide.h): for which machines a function is built.
WIDE = '__attribute__((target_clones("avx2", "default")))'
MEMORY = "memory"
# Functions that gcc calls by itself, of a copy, a table of zeros or a loop that looks like one, -ffreestanding or not.
CALLED = ("memcpy", "memmove", "memset", "memcmp", "abort")
COMPARING = ("==", "!=", "<", ">", "<=", ">=", "-")


def parse(text):
    """The tree of a preprocessed text."""
    if c_parser is None:
        raise Missing("pycparser, a parser of C for Python,", "python3-pycparser")
    plain = COMMENT.sub(lambda m: " " + "\n" * m[0].count("\n"), text.replace(WIDE, ""))
    try:
        return c_parser.CParser().parse(plain, "text")
    except Exception as error: # pycparser 2 and 3 have errors of different names
        raise ValueError(str(error)) from None


class Types:
    """The meanings of names of types, structs, functions and variables."""

    def __init__(self, tree):
        self.names, self.structs, self.functions, self.state = {}, {}, {}, False
        self.collect(tree)
        for node in tree.ext:
            declared = node.decl if isinstance(node, c.FuncDef) else node
            if isinstance(node, c.Typedef):
                self.names[node.name] = node.type
            elif isinstance(declared, c.Decl) and isinstance(declared.type, c.FuncDecl):
                self.functions.setdefault(declared.name, declared.type)
            elif isinstance(declared, c.Decl) and declared.name and not self.is_constant(declared.type):
                self.state = True # any call may read or write it

    def collect(self, node):
        for _, child in node.children():
            self.collect(child)
        if isinstance(node, c.Struct) and node.decls:
            self.structs[node.name] = node
        if isinstance(node, c.Decl) and "static" in node.storage and not isinstance(node.type, c.FuncDecl) and not self.is_constant(node.type):
            self.state = True

    def of(self, node):
        """The type behind typedefs and declarators: a pointer, an array, a function, a struct, or names of C's own."""
        while isinstance(node, (c.TypeDecl, c.Typename, c.Decl)) or isinstance(node, c.IdentifierType) and node.names[-1] in self.names:
            node = self.names[node.names[-1]] if isinstance(node, c.IdentifierType) else node.type
        if isinstance(node, c.Struct) and not node.decls:
            return self.structs.get(node.name, node)
        return node

    def is_constant(self, node):
        """Returns True if an object of this type cannot be written."""
        while node is not None:
            if "const" in (getattr(node, "quals", None) or ()):
                return True
            if isinstance(node, c.IdentifierType):
                node = self.names.get(node.names[-1])
            elif isinstance(node, (c.TypeDecl, c.Typename, c.Decl, c.ArrayDecl)):
                node = node.type
            else:
                return False
        return False

    def points(self, node, writing, seen=()):
        """Returns True if something can be reached from a value of this type through a pointer; if `writing`, and be written."""
        kind = self.of(node)
        if isinstance(kind, c.PtrDecl):
            return not writing or not self.is_constant(kind.type) or self.points(kind.type, writing, seen)
        if isinstance(kind, c.ArrayDecl):
            return self.points(kind.type, writing, seen)
        if isinstance(kind, c.Struct):
            return kind not in seen and any(self.points(d.type, writing, (*seen, kind)) for d in kind.decls or ())
        return False

    def argument(self, node, writing):
        """Answers `points` for a parameter, where an array is a pointer."""
        kind = self.of(node)
        if isinstance(kind, c.ArrayDecl):
            return not writing or not self.is_constant(kind.type) or self.points(kind.type, writing)
        return self.points(node, writing)

    def call(self, name):
        """Returns the effects of a call of the function on memory."""
        function = self.functions.get(name)
        if function is None or self.state:
            return {("read", MEMORY), ("write", MEMORY)}
        given = [p.type for p in (function.args.params if function.args else []) if not isinstance(p, c.EllipsisParam)]
        return ({("read", MEMORY)} if any(self.argument(t, False) for t in given) else set()) | (
            {("write", MEMORY)} if any(self.argument(t, True) for t in given) else set())


class Function:
    """One function: its variables, and what is objected to in it."""

    def __init__(self, types, node):
        self.types, self.node, self.found = types, node, []
        self.variables, self.shared = {}, set()
        self.walk(node)
        self.statement(node.body)

    def walk(self, node):
        """Variables by name, and those whose address is taken: these are memory."""
        if isinstance(node, c.Decl) and node.name:
            kind = self.types.of(node.type)
            if node.name in self.variables and type(kind) is not type(self.variables[node.name]): # one name, two kinds: the more careful
                self.shared.add(node.name)
            self.variables[node.name] = kind
        if isinstance(node, c.UnaryOp) and node.op == "&":
            base = node.expr
            while isinstance(base, (c.StructRef, c.ArrayRef)) and not (isinstance(base, c.StructRef) and base.type == "->"):
                base = base.name
            if isinstance(base, c.ID):
                self.shared.add(base.name)
        for _, child in node.children():
            self.walk(child)

    def object(self, what, node):
        line = node.coord.line if node.coord else 0
        self.found.append((line, what))

    # ---- the order of evaluation ------------------------------------------------------------------

    def together(self, node, *parts):
        """Parts without an order between them: one may not write what another reads or writes."""
        for i, one in enumerate(parts):
            for other in parts[i + 1:]:
                for a, b in ((one, other), (other, one)):
                    if any(kind == "write" and any(place == p for _, p in b) for kind, place in a):
                        self.object("the order of evaluation is open", node)
                        return set().union(*parts)
        return set().union(*parts)

    def place(self, node):
        """Where an lvalue is: a variable of its own, or memory."""
        while isinstance(node, c.StructRef) and node.type == ".":
            node = node.name
        if isinstance(node, c.ID) and node.name in self.variables and node.name not in self.shared \
                and not isinstance(self.variables[node.name], c.ArrayDecl):
            return node.name
        return MEMORY

    def address(self, node):
        """Returns the places that finding an lvalue reads and writes."""
        if isinstance(node, c.ID):
            return set()
        if isinstance(node, c.StructRef):
            return self.value(node.name) if node.type == "->" else self.address(node.name)
        if isinstance(node, c.ArrayRef):
            return self.together(node, self.value(node.name), self.value(node.subscript))
        if isinstance(node, c.UnaryOp) and node.op == "*":
            return self.value(node.expr)
        return self.value(node)

    def is_array(self, node):
        return isinstance(node, c.ID) and isinstance(self.variables.get(node.name), c.ArrayDecl)

    def value(self, node):
        """Returns what computing an expression reads and writes: pairs of read or write, and a place."""
        if node is None or isinstance(node, (c.Constant, c.Typename)):
            return set()
        if isinstance(node, c.ID):
            return set() if self.is_array(node) else {("read", self.place(node))} if node.name in self.variables else {("read", MEMORY)}
        if isinstance(node, (c.ArrayRef, c.StructRef)):
            return self.address(node) | {("read", self.place(node))}
        if isinstance(node, c.Cast):
            self.cast(node)
            return self.value(node.expr)
        if isinstance(node, c.UnaryOp):
            return self.unary(node)
        if isinstance(node, c.BinaryOp):
            left, right = self.value(node.left), self.value(node.right)
            if node.op in COMPARING and self.is_pointer(node.left) and self.is_pointer(node.right):
                self.object("two pointers compared: where objects lie is the compiler's to choose", node)
            return left | right if node.op in ("&&", "||") else self.together(node, left, right)
        if isinstance(node, c.TernaryOp):
            return self.value(node.cond) | self.value(node.iftrue) | self.value(node.iffalse)
        if isinstance(node, c.Assignment):
            return self.assignment(node)
        if isinstance(node, c.FuncCall):
            return self.call(node)
        if isinstance(node, c.ExprList):
            return set().union(*(self.value(e) for e in node.exprs))
        if isinstance(node, c.InitList):
            return self.together(node, *(self.value(e) for e in node.exprs))
        if isinstance(node, c.NamedInitializer):
            return self.value(node.expr)
        if isinstance(node, c.CompoundLiteral):
            return self.value(node.init)
        self.object(f"an expression of a kind that is not judged: {type(node).__name__}", node)
        return set()

    def unary(self, node):
        if node.op == "&":
            return self.address(node.expr)
        if node.op == "*":
            return self.value(node.expr) | {("read", MEMORY)}
        if node.op in ("sizeof", "_Alignof"):
            self.size(node)
            return set()
        if node.op in ("++", "--", "p++", "p--"):
            place = self.place(node.expr)
            return self.address(node.expr) | {("read", place), ("write", place)}
        return self.value(node.expr)

    def assignment(self, node):
        where, what, place = self.address(node.lvalue), self.value(node.rvalue), self.place(node.lvalue)
        if node.op != "=":
            where = where | {("read", place)}
        both = self.together(node, where, what)
        if ("write", place) in self.direct(node.rvalue): # v = v++: what is stored last is open
            self.object("the order of evaluation is open", node)
        return both | {("write", place)}

    def direct(self, node):
        """The places that an expression writes itself, and not through a call, which is over before its value is used."""
        found = set()
        if isinstance(node, c.Assignment):
            found.add(("write", self.place(node.lvalue)))
        elif isinstance(node, c.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
            found.add(("write", self.place(node.expr)))
        for _, child in node.children():
            found |= self.direct(child)
        return found

    def call(self, node):
        if not isinstance(node.name, c.ID) or node.name.name in self.variables:
            self.object("a call through a pointer to a function", node)
            return {("read", MEMORY), ("write", MEMORY)}
        given = [self.value(e) for e in (node.args.exprs if node.args else ())]
        return self.together(node, *given) | self.types.call(node.name.name)

    # ---- statements -------------------------------------------------------------------------------

    def statement(self, node):
        if node is None:
            return
        if isinstance(node, c.Decl):
            self.declaration(node)
        elif isinstance(node, c.DeclList):
            for decl in node.decls:
                self.declaration(decl)
        elif isinstance(node, c.Switch):
            self.value(node.cond)
            self.choice(node.stmt)
        elif isinstance(node, (c.Case, c.Default)):
            self.object("a case inside of another statement, which may step over a declaration", node)
        elif isinstance(node, (c.Compound, c.If, c.While, c.DoWhile, c.For, c.Return, c.Label)):
            for name, child in node.children():
                if name in ("cond", "next", "init", "expr") and not isinstance(child, (c.Decl, c.DeclList)):
                    self.value(child)
                else:
                    self.statement(child)
        elif isinstance(node, (c.Break, c.Continue, c.EmptyStatement)):
            pass
        elif isinstance(node, (c.Goto, c.Pragma)):
            self.object(f"a statement of a kind that is not judged: {type(node).__name__}", node)
        else:
            self.value(node)

    def choice(self, body):
        """The statement of a switch. A declaration there may be stepped over, and its variable then has no value: WP takes any one,
        and a compiler may take another at each use."""
        for part in (body.block_items or ()) if isinstance(body, c.Compound) else (body,):
            if isinstance(part, (c.Case, c.Default)):
                self.value(getattr(part, "expr", None))
            for inner in (part.stmts or ()) if isinstance(part, (c.Case, c.Default)) else (part,):
                if isinstance(inner, (c.Decl, c.DeclList)):
                    self.object("a declaration that a case may step over", inner)
                self.statement(inner)

    def declaration(self, node):
        self.value(node.init)
        if node.init is None and node.name and not isinstance(node.type, c.FuncDecl) and "extern" not in node.storage:
            self.object(f"{node.name} is declared without a value", node)

    def cast(self, node):
        """No cast makes a pointer, and none makes a number of one: WP's memory has types, and a compiler's has addresses."""
        to = self.types.of(node.to_type)
        if isinstance(to, c.IdentifierType) and to.names == ["void"]: # a value that is not used
            return
        if isinstance(to, c.PtrDecl) or self.is_pointer(node.expr):
            self.object("a cast of a pointer", node)

    def size(self, node):
        """sizeof computes nothing; a call or a write in it would be read as one."""
        if not isinstance(node.expr, c.Typename) and any(kind == "write" for kind, _ in self.value(node.expr)):
            self.object("a write within sizeof, which is not done", node)

    def is_pointer(self, node):
        """Returns True if a value is an address, as far as it takes to see that a cast is one of a pointer."""
        if isinstance(node, c.UnaryOp) and node.op == "&":
            return True
        if isinstance(node, c.Constant):
            return node.type == "string"
        kind = self.kind(node)
        return isinstance(kind, (c.PtrDecl, c.ArrayDecl, c.FuncDecl))

    def kind(self, node):
        """The type of an expression where it matters whether it is a pointer; else nothing."""
        of = self.types.of
        if isinstance(node, c.ID):
            return self.variables.get(node.name, self.types.functions.get(node.name))
        if isinstance(node, c.ArrayRef) or isinstance(node, c.UnaryOp) and node.op == "*":
            base = self.kind(node.name if isinstance(node, c.ArrayRef) else node.expr)
            return of(base.type) if isinstance(base, (c.PtrDecl, c.ArrayDecl)) else None
        if isinstance(node, c.StructRef):
            base = self.kind(node.name)
            base = of(base.type) if isinstance(base, (c.PtrDecl, c.ArrayDecl)) else base
            fields = {d.name: d for d in (base.decls or ())} if isinstance(base, c.Struct) else {}
            return of(fields[node.field.name].type) if node.field.name in fields else None
        if isinstance(node, c.FuncCall) and isinstance(node.name, c.ID) and node.name.name in self.types.functions:
            return of(self.types.functions[node.name.name].type)
        if isinstance(node, c.Cast):
            return of(node.to_type)
        if isinstance(node, c.TernaryOp):
            return self.kind(node.iftrue) or self.kind(node.iffalse)
        if isinstance(node, c.ExprList):
            return self.kind(node.exprs[-1])
        if isinstance(node, c.Assignment):
            return self.kind(node.lvalue)
        if isinstance(node, c.BinaryOp) and node.op in ("+", "-"):
            both = [k for k in (self.kind(node.left), self.kind(node.right)) if isinstance(k, (c.PtrDecl, c.ArrayDecl))]
            return both[0] if len(both) == 1 else None
        if isinstance(node, c.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
            return self.kind(node.expr)
        return None


def declarations(node):
    """Yields what no declaration may have: restrict, a pointer to a function or to nothing in particular, a union, bits, a
    length that is computed."""
    quals = [*(getattr(node, "quals", None) or ()), *(getattr(node, "dim_quals", None) or ())]
    for word in ("restrict", "volatile", "_Atomic"):
        if word in quals:
            yield node, f"{word}: what a compiler makes of it is in no proof"
    if isinstance(node, c.PtrDecl):
        inner = node.type
        while isinstance(inner, c.TypeDecl):
            inner = inner.type
        if isinstance(inner, c.FuncDecl):
            yield node, "a pointer to a function"
        if isinstance(inner, c.IdentifierType) and inner.names == ["void"]:
            yield node, "a pointer to void, which turns into any other"
    if isinstance(node, c.Union):
        yield node, "a union: two types in one place"
    if isinstance(node, c.Decl) and node.bitsize is not None:
        yield node, "a struct with a field of some bits"
    for _, child in node.children():
        yield from declarations(child)


def where(text, line):
    """File and line in the sources, by the marks that the preprocessor left."""
    name, at = "", 0
    for i, said in enumerate(text.split("\n"), 1):
        if i > line:
            break
        if match := re.match(r'# (\d+) "([^"]*)"', said):
            name, at = match[2], int(match[1]) - i - 1
    return f"{name}:{line + at}"


def objections(unit, text):
    """Yields the objections to a unit, each with its place; the text is what Frama-C reads."""
    marked = re.sub(r'^# [^\n]*', "", text, flags=re.M) # the places are the text's own, and found again by `where`
    try:
        tree = parse(marked)
    except ValueError as error:
        place = re.search(r":(\d+):", str(error))
        yield f"{where(text, int(place[1])) if place else unit}: not understood by the parser of C: {error}"
        return
    types, found = Types(tree), []
    for node, what in declarations(tree):
        found.append((line_of(node), what))
    for node in tree.ext:
        if isinstance(node, c.FuncDef):
            if node.decl.name in CALLED:
                found.append((line_of(node), f"{node.decl.name}: a function that the compiler calls by itself"))
            found += [(line, f"{node.decl.name}: {what}") for line, what in Function(types, node).found]
    yield from dict.fromkeys(f"{where(text, line)}: {what}" for line, what in found)


def line_of(node):
    while node.coord is None and node.children():
        node = node.children()[0][1]
    return node.coord.line if node.coord else 0
