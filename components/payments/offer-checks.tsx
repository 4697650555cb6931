import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CheckView } from '@/lib/payments/schema';
import { CheckIcon, ChevronDownIcon, CloseIcon } from '../ui/display/icons';
import { UntrustedText } from '../ui/display/untrusted-text';

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
