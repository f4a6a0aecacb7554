// The embedded engine's thread. On the main thread its microtask loops would starve timers and sockets, so it lives here.
// Plain JavaScript, so that every way of starting the server can load it as it is.
import { constants, cpSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

// The whole default list (a partial one hangs) less -F, so that the log of the engine is written through to the disk.
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=open_datasync',
  // Files of the log beyond these go at a checkpoint (embedded-log.ts).
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=32MB',
  // The engine has no background processes, so there are no statistics to keep, and the planner knows of none: it takes every
  // account for one of few rows, and would gather a whole history to sort it where an index has its order.
  '-c',
  'track_activities=off',
  '-c',
  'enable_bitmapscan=off',
  '-c',
  'jit=off',
];

const port = parentPort;
let db;
try {
  db = await PGlite.create({ dataDir: workerData.dataDir, startParams, pgliteWasmModule: workerData.engine });
  port.postMessage({ id: 0 });
} catch (error) {
  port.postMessage({ id: 0, error: describe(error) });
}

// Strictly one after the other, in the order of arrival.
let tail = Promise.resolve();
port.on('message', (message) => {
  tail = tail.then(() => serve(message));
});

async function serve({ id, op, text, params }) {
  try {
    if (op === 'query') {
      const { rows } = await db.query(text, params);
      port.postMessage({ id, rows });
    } else if (op === 'exec') {
      await db.exec(text);
      port.postMessage({ id });
    } else if (op === 'copy') {
      // Between two statements the files are what a crash would leave: what was committed is in the log of the engine.
      cpSync(workerData.dataDir, text, {
        recursive: true,
        errorOnExist: true,
        force: false,
        mode: constants.COPYFILE_FICLONE,
      });
      port.postMessage({ id });
    } else {
      await db.close();
      port.postMessage({ id });
      port.close();
    }
  } catch (error) {
    port.postMessage({ id, error: describe(error) });
  }
}

function describe(error) {
  return { message: error?.message ?? String(error), code: error?.code, detail: error?.detail, table: error?.table };
}
