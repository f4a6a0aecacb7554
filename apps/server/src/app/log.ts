import { pino } from 'pino';
import type { Config } from '../config.ts';

/** JSON lines in UTC; what might carry a token or password is cut out whatever room logs it (trust SEC-L2). */
export function createLog(config: Config, stream?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level: config.logLevel,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: [
      'req.headers.authorization',
      'headers.authorization',
      '*.token',
      '*.password',
      '*.oldPassword',
      '*.newPassword',
      '*.authToken',
    ],
  };
  return pino(options, stream ?? standardOutput());
}

/** Written together every quarter of a second or 4 kB, so that no call waits for the log; what is left at the end goes out then. */
function standardOutput(): pino.DestinationStream {
  const out = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 250 });
  process.once('exit', () => {
    try {
      out.flushSync();
    } catch {
      // Not open yet, or nobody reads any more.
    }
  });
  return out;
}
