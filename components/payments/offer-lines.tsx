import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { OfferLineView, OfferView } from '@/lib/payments/schema';
import { MarkedText } from '../chat/parts/marked-text';
import { numbered } from '../chat/parts/numbered';
import { MoneyText } from './money-text';

/** Every line of an offer and its total, as the server read and checked them. */
export function OfferLines({ offer }: { offer: OfferView }): ReactNode {
  const { lines, total } = offer;
  const refund = sharedRefund(lines);
  return (
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">What the cart holds</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody className="[&_tr]:border-t [&_tr]:border-line">
        {numbered(lines).map(({ item: line, at }) => (
          <Line currency={total.currency} key={at} line={line} withRefund={refund === null} />
        ))}
      </tbody>
      <tfoot className="border-t border-line-strong font-semibold">
        <tr>
          <th className="py-1.5 pe-3 text-start align-top" scope="row">
            Total
          </th>
          <td className="py-1.5 text-end align-top text-lg">
            <MoneyText money={total} withCode />
          </td>
        </tr>
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

interface LineProps {
  line: OfferLineView;
  currency: string;
  withRefund: boolean;
}

function Line({ line, currency, withRefund }: LineProps): ReactNode {
  const { label, quantity, minor, pending, refundDays, kind } = line;
  return (
    <tr>
      <th className="py-1.5 pe-3 text-start align-top font-normal [overflow-wrap:anywhere]" scope="row">
        {quantity === 1 ? null : `${quantity} × `}
        <MarkedText text={label || nameless[kind]} />
        {pending ? <span className="block text-xs text-warn">Not final yet</span> : null}
        {withRefund && refundDays !== null ? (
          <span className="block text-xs text-muted">{refundText(refundDays)}</span>
        ) : null}
      </th>
      <td className={clsx('py-1.5 text-end align-top', minor < 0 && 'text-good')}>
        <MoneyText money={{ currency, minor }} />
      </td>
    </tr>
  );
}

const nameless: Record<OfferLineView['kind'], string> = {
  item: 'No description',
  shipping: 'Shipping',
  fee: 'Fee',
  tax: 'Tax',
  discount: 'Discount',
};

/** The refund period of all lines when it is one and the same. */
function sharedRefund(lines: OfferLineView[]): number | null {
  const [first, ...rest] = lines.map(({ refundDays }) => refundDays);
  return first !== undefined && rest.every((days) => days === first) ? first : null;
}

function refundText(days: number): string {
  if (days === 0) return 'No refund, says the merchant';
  return `Refund within ${days} ${days === 1 ? 'day' : 'days'}, says the merchant`;
}
