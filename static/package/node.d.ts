// Types of the client in Node.

import { CallOptions, Hush as Client, Opening, Options as ClientOptions } from "./hush.js";

export * from "./hush.js";

/** The two texts of a ledger: what the page exports and imports, and what belongs to this ledger alone. Empty at first. */
export interface Texts {
  ledger: string;
  own: string;
}

/** Who keeps a ledger. */
export interface Keeper {
  /** Holds all others off, and resolves with the texts that were given last. */
  take(): Promise<Texts>;
  /** Resolves once both texts are where no crash can lose them, own first, and lets others in. */
  give(texts: Texts): Promise<void>;
  /** Lets others in, with nothing changed. */
  drop(): Promise<void>;
}

/** A ledger in a file of the page's export format, with PATH.own and, while it is used, PATH.lock beside it. */
export class LedgerFile implements Keeper {
  constructor(path: string | URL);
  take(): Promise<Texts>;
  give(texts: Texts): Promise<void>;
  drop(): Promise<void>;
}

/** Without a ledger files open and questions are priced, and nothing is drawn. */
export type Options = Pick<ClientOptions, "patience"> &
  ({ ledger?: string | URL | Keeper; iKeepItMyself?: undefined } | { ledger: "none"; iKeepItMyself: true });

/** A path, a Blob, or bytes. */
export type FileLike = string | URL | Blob | ArrayBuffer | ArrayBufferView;

export class Hush extends Client {
  constructor(options?: Options);
  static open(options?: Options): Promise<Hush>;
  file(file: FileLike, options?: object, how?: CallOptions): Promise<Opening>;
  open(file: FileLike, options?: object, how?: CallOptions): Promise<Opening>;
}
