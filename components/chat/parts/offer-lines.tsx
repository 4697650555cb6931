import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { Amount } from '../../../lib/protocol/ap2/money';
import type { Offer, OfferLine } from '../../../lib/protocol/ap2/read-cart';
import { formatMoney } from './format-money';
import { MarkedText } from './marked-text';
import { numbered } from './numbered';

/** Every line of an offer and its total; amounts come from the reading, never from the agent's words. */
export function OfferLines({ offer }: { offer: Offer }): ReactNode {
  const { lines, shipping, modifiers, total } = offer;
  const refund = sharedRefund([...lines, ...shipping]);
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">What the cart holds</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody className="[&_tr]:border-t [&_tr]:border-line">
        {numbered([...lines, ...shipping, ...modifiers]).map(({ item: line, at }) => (
          <Row key={at} line={line} name={line.label || 'No description'} refund={refund === null} />
        ))}
      </tbody>
      <tfoot className="border-t border-line-strong font-semibold">
        <Row isTotal line={total} name="Total" refund={false} />
        {refund === null ? null : (
          <tr>
            <td className="text-xs font-normal text-muted" colSpan={2}>
              {refundText(refund)}
            </td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

interface RowProps {
  line: OfferLine;
  name: string;
  /** Says the refund period of the line. */
  refund: boolean;
  isTotal?: boolean;
}

function Row({ line, name, refund, isTotal = false }: RowProps): ReactNode {
  return (
    <tr>
      <th
        className={clsx('py-1.5 pe-3 text-start align-top [overflow-wrap:anywhere]', !isTotal && 'font-normal')}
        scope="row"
      >
        <MarkedText text={name} />
        {line.pending ? <span className="block text-xs font-normal text-warn">Not final yet</span> : null}
        {refund && line.refundDays !== null ? (
          <span className="block text-xs text-muted">{refundText(line.refundDays)}</span>
        ) : null}
      </th>
      <td className="py-1.5 text-end align-top tabular-nums">
        <AmountText amount={line.amount} withCode={isTotal} />
      </td>
    </tr>
  );
}

function AmountText({ amount, withCode }: { amount: Amount; withCode: boolean }): ReactNode {
  if (!amount.ok) {
    return (
      <span className="text-danger [overflow-wrap:anywhere]">
        <MarkedText text={`${amount.written} ${amount.currency}`} />
      </span>
    );
  }
  return (
    <>
      <span aria-hidden="true" className={clsx('whitespace-nowrap', withCode && 'text-lg')}>
        {formatMoney(amount)}
      </span>
      {withCode ? (
        <span aria-hidden="true" className="ms-1.5 text-xs font-normal text-muted">
          {amount.currency}
        </span>
      ) : null}
      <span className="sr-only">{formatMoney(amount, 'name')}</span>
    </>
  );
}

/** The refund period of all lines when it is one and the same. */
function sharedRefund(lines: OfferLine[]): number | null {
  const [first, ...rest] = lines.map(({ refundDays }) => refundDays);
  return first !== undefined && rest.every((days) => days === first) ? first : null;
}

function refundText(days: number): string {
  if (days === 0) return 'No refund, says the merchant';
  return `Refund within ${days} ${days === 1 ? 'day' : 'days'}, says the merchant`;
}
