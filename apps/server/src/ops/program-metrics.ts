/** The door for programs in numbers. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ProgramMeter } from '../programs/programs.ts';

export function createProgramMeter(registry: Registry): ProgramMeter {
  const registers = [registry];
  const calls = new Counter({
    name: 'xch_program_calls_total',
    help: 'Operations of programs by outcome: ok, the code of the report, or of the failure',
    labelNames: ['op', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'xch_program_call_seconds',
    help: 'Time to the answer of an operation',
    labelNames: ['op'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const lag = new Histogram({
    name: 'xch_program_stream_lag_seconds',
    help: 'From the commit of a change of prices until it was handed to those who stream it',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
    registers,
  });
  return {
    called(op, outcome, took) {
      calls.inc({ op, outcome });
      seconds.observe({ op }, took);
    },
    turned: (took) => lag.observe(took),
    watchStream(read) {
      const stream: Gauge = new Gauge({
        name: 'xch_program_stream',
        help: 'Connections of the stream, those that follow markets and orders, and those that are behind',
        labelNames: ['what'],
        registers,
        collect: () => {
          for (const [what, count] of Object.entries(read())) stream.set({ what }, count);
        },
      });
    },
  };
}
