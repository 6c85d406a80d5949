// SPDX-License-Identifier: MIT

/** Two decimals, rounded outwards: the true value lies between them. */
export interface Enclosure {
  lo: string;
  hi: string;
}

/** The verdict on a document; `reason` says why it does not hold. What else there is depends on the document (probity verify --json). */
export interface Verdict {
  holds: boolean;
  reason?: string;
  spec?: string;
  neighbours?: string;
  epsilon?: string;
  delta?: Enclosure;
  route?: string;
  accuracy?: string;
  signer?: string;
  [field: string]: unknown;
}

/** One question. Numbers are rationals as text, such as "1/2", "0.5" or "1e-6". */
export type Question =
  | {epsilon: string | number}
  | {delta: string | number}
  | {order: string | number}
  | {zcdp: true}
  | {mu: true}
  | {profile: string};

export interface Loss {
  spec: string;
  neighbours: string;
  delta?: Enclosure | string;
  epsilon?: Enclosure | string;
  renyi?: Enclosure;
  rho?: Enclosure;
  mu?: Enclosure;
  profile?: {epsilon: string; delta: Enclosure}[];
  claimed?: Enclosure & {source: string; here: string; row?: string; refuted?: boolean};
  [field: string]: unknown;
}

/** The enclosure that answers a question. */
export type Answer<Q> =
  Q extends {epsilon: unknown} ? {delta: Enclosure}
  : Q extends {delta: unknown} ? {epsilon: Enclosure}
  : Q extends {order: unknown} ? {renyi: Enclosure}
  : Q extends {zcdp: true} ? {rho: Enclosure}
  : Q extends {mu: true} ? {mu: Enclosure}
  : Q extends {profile: string} ? {profile: {epsilon: string; delta: Enclosure}[]}
  : unknown;

/** A question without an answer: `status` is 2 if it is a bad one, 3 if it took too much time or memory. */
export class ProbityError extends Error {
  status: number;
}

/** Compiles the module, from its bytes if they are given, to a WebAssembly.Module; verify and loss do it by themselves. */
export function load(source?: ArrayBuffer | ArrayBufferView | null): Promise<object>;

/** Recomputes a certificate, a dossier or a signed statement: its text, its bytes, or the parsed object. */
export function verify(document: string | Uint8Array | object, options?: {key?: string | null; seconds?: number}): Promise<Verdict>;

/** The privacy loss of a mechanism, as `probity loss SPEC` gives it. */
export function loss<Q extends Question>(spec: string, question: Q,
  options?: {neighbours?: string | null; digits?: number | null; group?: number | null; width?: string | null; seconds?: number}): Promise<Loss & Answer<Q>>;
