import { conformance } from './conformance.ts';

conformance('dialect A', (bench) => bench.a, { debitCredit: false });
