// A port for a program that cannot choose one itself.

import { createServer } from "node:net";

/** A port that is free at this moment. */
export function free() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
