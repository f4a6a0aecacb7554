import { msg, t } from '@lingui/core/macro';
import { useProfile } from '../../betting/betting.ts';
import { say, type Words } from '../../platform/language.ts';
import { useParams } from '../../platform/routing.tsx';
import { sportName } from '../../platform/sports.ts';
import { useTitle } from '../../platform/title.ts';
import { IconMail } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { EmptyState } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import css from '../../ui/panel.module.css';

/** What stands behind the numbers of the specification's links (OPN-08); other ids are sports by their key. */
const PRODUCTS: Readonly<Record<string, { name: Words; what: Words }>> = {
  '1': { name: msg`Lottery`, what: msg`Draws with fixed prizes` },
  '89': { name: msg`Tembo Casino`, what: msg`A partner casino with its own tables and slots` },
  '98': { name: msg`Racing Sports`, what: msg`Horse and greyhound racing beyond the meetings that are open to all` },
  '777': { name: msg`Table Tennis`, what: msg`Match and set markets on table tennis` },
  '888': { name: msg`Volleyball`, what: msg`Match and set markets on volleyball` },
};

/** A product that is opened on request: what it is, and how to reach the operator. */
export function Screen() {
  const { type = '' } = useParams();
  const support = useProfile()?.supportText ?? '';
  const product = PRODUCTS[type];
  const name = product ? say(product.name) : sportName(type);
  const sport = name.toLowerCase();
  const what = product ? say(product.what) : t`Markets on ${sport}`;
  useTitle(name);
  return (
    <>
      <PageHead title={name} />
      <section className={css.panel}>
        <EmptyState
          icon={IconMail}
          title={t`${name} is opened by your operator`}
          action={
            type === '98' ? (
              <span className="row g-4 wrap">
                <LinkButton to="/game-list/horseRacing" kind="pri">
                  {t`Horse races`}
                </LinkButton>
                <LinkButton to="/game-list/greyHound" kind="pri">
                  {t`Greyhound races`}
                </LinkButton>
              </span>
            ) : (
              <LinkButton to="/home" kind="pri">
                {t`Back to Home`}
              </LinkButton>
            )
          }
        >
          {t`${what}. It is opened for your account on request.`}{' '}
          {support ? t`Ask support: ${support}` : t`Ask the operator who gave you your account.`}
          {type === '98' && ` ${t`The meetings of today and the next days are here:`}`}
        </EmptyState>
      </section>
    </>
  );
}
