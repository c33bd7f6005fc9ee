// Types of the client, for a page; node.d.ts has those of Node.

/** How far a call has come. */
export interface Progress {
  phase: "opening" | "reading" | "computing";
  /** bytes while a file is read, else steps of the question */
  done: number;
  total: number;
  /** which of several questions, from 1 */
  question?: number;
  questions?: number;
}

export interface CallOptions {
  onprogress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface RunOptions extends CallOptions {
  /** what the owner of the file agreed to, as claims lists it */
  agreed?: Claim[];
}

/** A question, without data: as the page saves it, and as #/docs in the page describes its fields. */
export interface Recipe {
  version: number;
  task: string;
  /** how the file is read: options of an Opening */
  table?: object;
  /** the column that is asked about, from 1 */
  column?: number;
  domain?: { kind: string; [field: string]: unknown };
  epsilon?: string;
  [field: string]: unknown;
}

/** What a question says of the file that the file does not say on its own. */
export interface Claim {
  about: string;
  column?: number;
  says: string;
  line: string;
}

export interface Limit {
  epsilon: string;
  delta?: string;
  slack?: string;
  rho?: string;
  raised?: object;
}

/** A privacy loss: exact numbers as text, such as "1/10". */
export interface Loss {
  epsilon?: string;
  delta: string;
  odds?: string;
  rho?: string;
  rest?: boolean;
}

export interface Entry {
  id: string;
  task: string;
  loss: Loss;
  time: string;
  column?: string;
  questions?: number;
  [field: string]: unknown;
}

/** What was spent on a data set. */
export interface Account {
  fingerprint: string;
  spent: string;
  delta: string;
  count: number;
  limit: Limit | null;
  entries: Entry[];
  damaged: boolean;
  elsewhere?: boolean;
  [field: string]: unknown;
}

/** A file that was opened. All but its account is for its owner's eyes. */
export interface Opening {
  options: object;
  parts: { name: string; rows?: number }[];
  fingerprint: string;
  /** why there is no ledger, or empty */
  storageRefused: string;
  account: Account;
  [field: string]: unknown;
}

/** What a question costs, and how good its answer will be. */
export interface Plan {
  verdict?: { grade: string; error: number; about?: number; text: string };
  [field: string]: unknown;
}

export interface Release {
  version: number;
  recipe: Recipe;
  answer: unknown;
  plan: Plan;
  /** the id of its debit in the ledger */
  entry: string;
  /** why this device does not keep the answer; "off": nobody wants it to */
  notKept: string;
  [field: string]: unknown;
}

export interface Drawn {
  entry: string;
  answers: { number: number; released?: Release; fault?: Fault }[];
  left: number[];
  stopped?: Fault;
}

export interface Fault {
  code: Code;
  message: string;
  field?: string;
  value?: string;
  want?: string;
  package?: string;
}

export type Code =
  | "refused" | "cancelled" | "no-file" | "unreadable-file" | "file-changed" | "other-file" | "no-top-up" | "plan-closed" | "no-storage"
  | "too-large" | "over-limit" | "ended" | "not-agreed" | "looked-at" | "found-nothing" | "not-looked" | "ledger-damaged" | "bad-ledger"
  | "engine-died" | "engine-start" | "closed" | "failed" | "internal";

/** Every failure of a call. Its name is "AbortError" where the caller cancelled. */
export class HushError extends Error implements Fault {
  constructor(fault: Fault & { [field: string]: unknown });
  code: Code;
  field?: string;
  value?: string;
  want?: string;
  package?: string;
  reason?: string;
}

export interface Options {
  /** milliseconds that a cancelled call may go on before the engine is replaced */
  patience?: number;
  /** how a worker is started, where that is not as in a browser */
  start?: (script: string, how: { name: string }) => Worker;
}

/** The engine. Events: "died", "restarted", "ledger" and "requests". */
export class Hush extends EventTarget {
  constructor(options?: Options);
  /** An engine that is ready. */
  static open(options?: Options): Promise<Hush>;
  readonly ready: Promise<void>;

  /** Opens a file in place of the one before. */
  file(file: Blob, options?: object, how?: CallOptions): Promise<Opening>;
  open(file: Blob, options?: object, how?: CallOptions): Promise<Opening>;
  /** What a question costs and how good its answer will be. Spends nothing. */
  price(recipe: Recipe, how?: CallOptions): Promise<Plan>;
  plan(recipe: Recipe, how?: CallOptions): Promise<Plan>;
  /** Answers a question: its cost is in the ledger before the data is used, and stays there. */
  release(recipe: Recipe, how?: RunOptions): Promise<Release>;
  run(recipe: Recipe, how?: RunOptions): Promise<Release>;

  catalogue(): Promise<object[]>;
  sample(name: string): Promise<string>;
  curve(recipe: Recipe): Promise<{ epsilon: string; error: number }[]>;
  epsilonFor(recipe: Recipe, error: number): Promise<string>;
  help(recipe: Recipe): Promise<{ text: string; recipe: Recipe; grade: string; error: number; exact: boolean }[]>;
  together(several: object, how?: CallOptions): Promise<{ plans: Plan[]; epsilons: string[]; [field: string]: unknown }>;
  expect(columns: { column: number; spec: object }[]): Promise<void>;
  read(recipe: Recipe, how?: CallOptions): Promise<object[]>;
  unplaced(columns: { column: number; spec: object }[], how?: CallOptions): Promise<object[]>;
  runTogether(plan: { questions: Recipe[]; delta: string }, how?: RunOptions): Promise<Drawn>;
  resumeTogether(entry: string, how?: CallOptions): Promise<Drawn>;
  planTopUp(release: Release, epsilon?: string): Promise<{ plan: Plan; debit: object; epsilon: string; paid: boolean }>;
  topUp(release: Release, epsilon: string, how?: RunOptions): Promise<Release>;
  claims(recipe: Recipe): Promise<Claim[]>;
  label(cells: string[]): Promise<Release>;
  freeze(recipe: Recipe): Promise<void>;
  look(): Promise<void>;
  lookOn(lesson: object, how?: CallOptions): Promise<object>;
  check(file: { text: string; build: string }): Promise<object>;
  prove(demonstration: object, how?: CallOptions): Promise<object>;
  teach(lesson: object, how?: CallOptions): Promise<object>;
  /** Makes a rough answer about made-up people more exact for the difference of two ε, and asks the same anew beside that. Nothing of it is a release. */
  difference(lesson: object, how?: CallOptions): Promise<object>;
  rows(lesson: { epsilon: string; seed: number }): Promise<object>;
  study(study: { id: string; seed: number }, how?: CallOptions): Promise<object>;
  film(film: { id: string; seed: number }): Promise<object>;
  sign(text: string): Promise<{ key: string; value: string }>;
  ledger(): Promise<Account & { accounts: Account[] }>;
  compose(spending: object): Promise<object>;
  setLimit(limit: Limit | null, fingerprint?: string): Promise<void>;
  setNickname(nickname: string, fingerprint: string): Promise<void>;
  exportLedger(): Promise<string>;
  importLedger(file: string): Promise<{ dataSets: number; added: number; known: number; elsewhere: number; above: number; ended: number }>;
  kept(): Promise<object>;
  keptAnswers(entries: string[]): Promise<{ entry: string; text: string }[]>;
  markKept(marks: { entries: string[]; listed?: boolean; report?: boolean }): Promise<void>;
  dropKept(entries?: string[]): Promise<void>;
  keptDraft(): Promise<string>;
  keepDraft(text: string): Promise<void>;
  keepAnswers(on: boolean): Promise<void>;
  call(op: string, request?: unknown, how?: CallOptions): Promise<unknown>;
  restart(): void;
  close(): void;
}
