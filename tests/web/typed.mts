// SPDX-License-Identifier: MIT
// A program of a user of the package, for tsc --strict (package.mjs): each use that is right is accepted, and each that is wrong refused.
import {load, loss, ProbityError, verify} from "probity-verify";
import type {Enclosure, Verdict} from "probity-verify";

export async function told(text: string, key: string): Promise<string> {
  const verdict: Verdict = await verify(text, {key, seconds: 10});
  return verdict.holds ? verdict.spec ?? "a document without a mechanism" : verdict.reason ?? "";
}

export async function asked(): Promise<Enclosure[]> {
  await load();
  const {delta, claimed} = await loss("stlap:eps=1/2,q=40", {epsilon: "1/2"}, {digits: 12});
  const {epsilon} = await loss("gauss:sigma2=4", {delta: 1e-6}), {renyi} = await loss("laplace:scale=2", {order: 8});
  const {rho} = await loss("dgauss:sigma2=100", {zcdp: true}), {mu} = await loss("gauss:sigma2=4", {mu: true}, {neighbours: "substitute"});
  const {profile} = await loss("rr:eps=1", {profile: "0:1:5"});
  return [delta, epsilon, renyi, rho, mu, profile[0].delta, ...(claimed ? [claimed] : [])];
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProbityError) return `${error.status}: ${error.message}`;
  }
  return "";
}

export async function wrong(): Promise<void> {
  // @ts-expect-error no such question
  await loss("rr:eps=1", {sigma: 1});
  // @ts-expect-error a loss needs a question
  await loss("rr:eps=1");
  // @ts-expect-error an enclosure is no number
  const one: number = (await loss("rr:eps=1", {epsilon: 1})).delta;
  // @ts-expect-error a key is text
  await verify("", {key: one});
  // @ts-expect-error a document is no number
  await verify(7);
}
