'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { setApiTexts } from './call-api';

/**
 * Sets the texts of API calls: for an unreachable server, and for a passkey that did not confirm a change. Renders
 * nothing; mounted once, in the root layout.
 */
export function ApiTexts(): null {
  const t = useTranslations('shell.unreachable');
  const tPasskey = useTranslations('payments.askPasskey');
  useEffect(() => setApiTexts({ unreachable: t('text'), passkey: (reason) => tPasskey(reason) }), [t, tPasskey]);
  return null;
}
