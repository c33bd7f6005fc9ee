// A worker beside the engine that makes SHA-256 digests: {buffer, length} in, {digest, buffer} out, in order; before them
// {ready}, and {requests}, see count.js. It is a thread of its own because Chromium computes a digest inside the call, at
// about 1 GB/s, whatever promise it returns.

import { cutOff } from "./trust.js";
import { countRequests } from "./count.js";

cutOff();
countRequests((requests) => postMessage({ requests }));

let last = Promise.resolve();

onmessage = ({ data: { buffer, length } }) => {
  last = last.then(async () => {
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(buffer, 0, length));
    postMessage({ digest, buffer }, [digest, buffer]);
  });
};

postMessage({ ready: true });
