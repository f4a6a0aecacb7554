import { conformance } from './conformance.ts';

conformance('dialect B', (bench) => bench.b, { debitCredit: true });
