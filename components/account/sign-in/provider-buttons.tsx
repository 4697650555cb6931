import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SignInProvider } from '@/lib/identity/schema';
import { Button } from '../../ui/controls/button';

export interface ProviderButtonsProps {
  providers: SignInProvider[];
  next: string;
}

/** The sign-in providers, as plain forms that work without JavaScript. */
export function ProviderButtons({ providers, next }: ProviderButtonsProps): ReactNode {
  const t = useTranslations('account.providerButtons');
  if (providers.length === 0) return null;
  return (
    <div className="space-y-4">
      <div className="flex items-center gap-3 text-sm text-muted">
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        {t('or')}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </div>
      <ul className="space-y-3">
        {providers.map(({ id, name }) => (
          <li key={id}>
            <form action={`/api/auth/signin/${id}`} method="post">
              <input name="next" type="hidden" value={next} />
              <Button className="w-full" type="submit">
                {t('continueWith', { provider: name })}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </div>
  );
}
