import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Alert } from '../ui/display/alert';

export interface MailSentProps {
  /** The instruction for the next step. */
  children: ReactNode;
  /** False if no mail server is configured. */
  mailsAreSent: boolean;
}

/** The next step after requesting an e-mail. The page does not reveal whether the e-mail was sent. */
export function MailSent({ children, mailsAreSent }: MailSentProps): ReactNode {
  const t = useTranslations('account.mailSent');
  return (
    <>
      <p>{children}</p>
      {mailsAreSent ? null : (
        <Alert title={t('noServer')} tone="warn">
          {t.rich('noServerHint', { folder: () => <code className="font-mono">outbox</code> })}
        </Alert>
      )}
    </>
  );
}
