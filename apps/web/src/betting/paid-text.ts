import { t } from '@lingui/core/macro';
import { formatMoney, formatSigned } from '../platform/format.ts';

/** "You won +110.74 (113.00 less 2.26 commission)". */
export function paidText({ grossMinor, commissionMinor }: { grossMinor: number; commissionMinor: number }): string {
  const net = grossMinor - commissionMinor;
  if (net === 0) return t`Your stake came back`;
  const result = formatSigned(net);
  const [gross, less] = [formatMoney(grossMinor), formatMoney(commissionMinor)];
  if (net < 0)
    return commissionMinor > 0 ? t`You lost ${result} (${gross} less ${less} commission)` : t`You lost ${result}`;
  return commissionMinor > 0 ? t`You won ${result} (${gross} less ${less} commission)` : t`You won ${result}`;
}
