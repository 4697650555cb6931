import type { ReactNode } from 'react';
import { Card } from '../ui/display/card';

export interface AccountFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  /** The alternative, below the card. */
  footer?: ReactNode;
}

/** One short step of sign-in or sign-up, centered on the page. */
export function AccountFrame({ title, lead, children, footer }: AccountFrameProps): ReactNode {
  return (
    <div className="page-x py-10 sm:py-16">
      <div className="mx-auto w-full max-w-md">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {lead ? <p className="mt-2 text-muted">{lead}</p> : null}
        <Card className="mt-6 space-y-6 p-5 sm:p-7">{children}</Card>
        {footer ? <p className="mt-5 text-sm text-muted">{footer}</p> : null}
      </div>
    </div>
  );
}
