'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../../ui/controls/button';
import { Alert, QuotedMessage } from '../../ui/display/alert';
import type { TurnStatus } from '../state/turn-status';

interface TurnNoticeProps {
  status: TurnStatus;
  /** Sends the same message again; null if there is none. */
  onSendAgain: (() => void) | null;
}

/** The result of a turn that did not end as intended, and the user's options. */
export function TurnNotice({ status, onSendAgain }: TurnNoticeProps): ReactNode {
  const t = useTranslations('chat.turnNotice');
  const tTurn = useTranslations('chat.agentTurn');
  const { title, tone, text, advice, retry } = status;
  return (
    <Alert title={t(`title.${title}`)} tone={tone}>
      {text ? (
        <p dir="auto">
          <QuotedMessage message={text} />
        </p>
      ) : null}
      <p>{t(`advice.${advice}`)}</p>
      {retry && onSendAgain ? (
        <Button className="mt-2" onClick={onSendAgain} size="sm">
          {tTurn('sendAgain')}
        </Button>
      ) : null}
    </Alert>
  );
}
