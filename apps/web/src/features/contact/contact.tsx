import { useProfile } from '../../betting/betting.ts';
import { useParams } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { useTitle } from '../../platform/title.ts';
import { IconMail } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import css from '../../ui/panel.module.css';

/** What stands behind the numbers of the specification's links (OPN-08); other ids are sports by their key. */
const PRODUCTS: Readonly<Record<string, { name: string; what: string }>> = {
  '1': { name: 'Lottery', what: 'Draws with fixed prizes' },
  '89': { name: 'Tembo Casino', what: 'A partner casino with its own tables and slots' },
  '98': { name: 'Racing Sports', what: 'Horse and greyhound racing beyond the meetings that are open to all' },
  '777': { name: 'Table Tennis', what: 'Match and set markets on table tennis' },
  '888': { name: 'Volleyball', what: 'Match and set markets on volleyball' },
};

/** A product that is opened on request: what it is, and how to reach the operator. */
export function Screen() {
  const { type = '' } = useParams();
  const support = useProfile()?.supportText ?? '';
  const product = PRODUCTS[type] ?? { name: sportName(type), what: `Markets on ${sportName(type).toLowerCase()}` };
  useTitle(product.name);
  return (
    <>
      <PageHead title={product.name} />
      <section className={css.panel}>
        <EmptyState
          icon={IconMail}
          title={`${product.name} is opened by your operator`}
          action={
            type === '98' ? (
              <span className="row g-2 wrap">
                <LinkButton to="/game-list/horseRacing" kind="pri">
                  Horse races
                </LinkButton>
                <LinkButton to="/game-list/greyHound" kind="pri">
                  Greyhound races
                </LinkButton>
              </span>
            ) : (
              <LinkButton to="/home" kind="pri">
                Back to Home
              </LinkButton>
            )
          }
        >
          {product.what}. It is opened for your account on request.{' '}
          {support ? `Ask support: ${support}` : 'Ask the operator who gave you your account.'}
          {type === '98' && ' The meetings of today and the next days are here:'}
        </EmptyState>
      </section>
    </>
  );
}
