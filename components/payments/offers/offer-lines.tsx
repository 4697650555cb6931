import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CheckView, OfferLineView, OfferView } from '@/lib/payments/schema';
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../../ui/display/icons';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { MoneyText } from './money';

/** The lines and total of an offer, as the server parsed and verified them. */
export function OfferLines({ offer }: { offer: OfferView }): ReactNode {
  const t = useTranslations('payments.offerLines');
  const { lines, total } = offer;
  const refund = sharedRefund(lines);
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{t('caption')}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('item')}</th>
          <th scope="col">{t('amount')}</th>
        </tr>
      </thead>
      <tbody className="[&_tr]:border-t [&_tr]:border-line">
        {withIndex(lines).map(({ item: line, index }) => (
          <Line currency={total.currency} key={index} line={line} withRefund={refund === null} />
        ))}
      </tbody>
      <tfoot className="border-t border-line-strong font-semibold">
        <tr>
          <th className="py-1.5 pe-3 text-start align-top" scope="row">
            {t('total')}
          </th>
          <td className="py-1.5 text-end align-top text-lg">
            <MoneyText money={total} withCode />
          </td>
        </tr>
        {refund === null ? null : (
          <tr>
            <td className="text-xs font-normal text-muted" colSpan={2}>
              {t('refund', { count: refund, days: String(refund) })}
            </td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

interface LineProps {
  line: OfferLineView;
  currency: string;
  withRefund: boolean;
}

function Line({ line, currency, withRefund }: LineProps): ReactNode {
  const t = useTranslations('payments.offerLines');
  const { label, quantity, minor, pending, refundDays, kind } = line;
  return (
    <tr>
      <th className="py-1.5 pe-3 text-start align-top font-normal [overflow-wrap:anywhere]" scope="row">
        {quantity === 1 ? null : `${quantity} × `}
        <UntrustedText text={label || t(`nameless.${kind}`)} />
        {pending ? <span className="block text-xs text-warn">{t('pending')}</span> : null}
        {withRefund && refundDays !== null ? (
          <span className="block text-xs text-muted">
            {t('refund', { count: refundDays, days: String(refundDays) })}
          </span>
        ) : null}
      </th>
      <td className={clsx('py-1.5 text-end align-top', minor < 0 && 'text-good')}>
        <MoneyText money={{ currency, minor }} />
      </td>
    </tr>
  );
}

/** Returns the refund period if it is the same for all lines. */
function sharedRefund(lines: OfferLineView[]): number | null {
  const [first, ...rest] = lines.map(({ refundDays }) => refundDays);
  return first !== undefined && rest.every((days) => days === first) ? first : null;
}

/** Every check that Parley ran on a cart, by outcome. */
export function OfferChecks({ checks }: { checks: CheckView[] }): ReactNode {
  const t = useTranslations('payments.offerChecks');
  if (checks.length === 0) return null;
  const passed = checks.filter(({ ok }) => ok).length;
  return (
    <details className="text-xs">
      <summary className="bare-summary inline-flex min-h-6 items-center gap-1.5 rounded-sm text-muted hover:text-ink touch:min-h-11">
        <ChevronDownIcon className="chevron" size={14} />
        {passed === checks.length
          ? t('allPassed', { count: passed })
          : t('somePassed', { passed, count: checks.length })}
      </summary>
      <ul className="mt-1.5 space-y-1.5">
        {checks.map(({ code, ok, text }) => (
          <li className="flex gap-2" key={code}>
            <span className={ok ? 'text-good' : 'text-danger'}>
              {ok ? <CheckIcon size={16} /> : <CloseIcon size={16} />}
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{t(ok ? 'passed' : 'failed')}</span>
              {'. '}
              <UntrustedText text={text} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
