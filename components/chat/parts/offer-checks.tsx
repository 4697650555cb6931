import type { ReactNode } from 'react';
import type { OfferCheck } from '../../../lib/protocol/ap2/check-offer';
import { Alert } from '../../ui/alert';
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../../ui/icons';
import { MarkedText } from './marked-text';

/** What is wrong with an offer, before anything else of it is read. */
export function OfferVerdict({ checks }: { checks: OfferCheck[] }): ReactNode {
  const failed = checks.filter(({ ok }) => !ok);
  const [first] = failed;
  if (!first) return null;
  const onlyLate = failed.every(({ code }) => code === 'cart_expired');
  return (
    <Alert title={onlyLate ? null : 'This offer does not hold'} tone={onlyLate ? 'warn' : 'danger'}>
      <ul className="space-y-1 [overflow-wrap:anywhere]">
        {failed.map(({ code, text }) => (
          <li key={code}>
            <MarkedText text={text} />
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Every check by name and outcome; the signature is one that nobody has made yet. */
export function OfferChecks({ checks, signed }: { checks: OfferCheck[]; signed: boolean }): ReactNode {
  const passed = checks.filter(({ ok }) => ok).length;
  const signature = signed
    ? 'Not verified: the cart carries a signature, which Parley does not check yet.'
    : 'Not verified: the cart carries no signature of the merchant.';
  return (
    <details className="text-xs">
      <summary className="bare-summary inline-flex min-h-6 items-center gap-1.5 rounded-sm text-muted hover:text-ink touch:min-h-11">
        <ChevronDownIcon className="chevron" size={14} />
        {passed === checks.length ? 'The amounts hold' : `${passed} of ${checks.length} checks pass`}, the signature is
        not verified
      </summary>
      <ul className="mt-1.5 space-y-1.5">
        {checks.map(({ code, ok, text }) => (
          <Check key={code} ok={ok} text={text} />
        ))}
        <Check ok={false} text={signature} />
      </ul>
    </details>
  );
}

function Check({ ok, text }: { ok: boolean; text: string }): ReactNode {
  return (
    <li className="flex gap-2">
      <span className={ok ? 'text-good' : 'text-danger'}>{ok ? <CheckIcon size={16} /> : <CloseIcon size={16} />}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{ok ? 'Passed' : 'Failed'}</span>
        {'. '}
        <MarkedText text={text} />
      </span>
    </li>
  );
}
