import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';

export interface MailSentProps {
  /** What to do with the mail. */
  children: ReactNode;
  /** False where no mail server is set up. */
  mailsAreSent: boolean;
}

/** What to do after a mail was asked for, which may not have been sent to anybody. */
export function MailSent({ children, mailsAreSent }: MailSentProps): ReactNode {
  return (
    <>
      <p>{children}</p>
      {mailsAreSent ? null : (
        <Alert title="No mail server is set up here" tone="warn">
          The mail is kept as a file in the folder <code className="font-mono">outbox</code> of this installation’s
          data. Whoever runs it can open the link from there.
        </Alert>
      )}
    </>
  );
}
