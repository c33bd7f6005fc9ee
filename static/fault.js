// Faults: errors with a code that the page's program knows, thrown in the engine and in the page.

export const fault = (code, message) => Object.assign(new Error(message), { code });

/** Returns an error as a fault where it says that a file is gone; else as it is. A DOMException's number is not one of our codes. */
export function faultOf(error) {
  if (error.name !== "NotReadableError" && error.name !== "NotFoundError") return error;
  return fault("unreadable-file", "the file can no longer be read: it was moved or changed. Choose it again");
}
