'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_DISPUTE_TEXT } from '@/lib/payments/limits';
import type { DisputeView } from '@/lib/payments/schema-disputes';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { Textarea } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';
import { useSuccess } from '../../ui/overlays/toast';
import { AmountField, useAmount } from '../offers/amount-field';
import { useFormatMoney } from '../offers/money';
import { FileField, useFiles } from './file-field';

/** A call of the API, which reports a refusal in `problem`. */
interface Caller {
  busy: string | null;
  problem: string | null;
  call: (name: string, path: string, body: object) => Promise<void>;
}

function useCaller(id: string): Caller {
  const t = useTranslations('payments.disputeActions');
  const succeed = useSuccess();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  async function call(name: string, path: string, body: object): Promise<void> {
    setBusy(name);
    setProblem(null);
    const response = await callApi('POST', `/api/disputes/${encodeURIComponent(id)}/${path}`, body);
    setBusy(null);
    if (!response.ok) return setProblem(response.problem.title);
    succeed(t('done'));
  }
  return { busy, problem, call };
}

/** What the reader may do in a dispute; nothing once it has ended. */
export function DisputeActions({ dispute }: { dispute: DisputeView }): ReactNode {
  const t = useTranslations('payments.disputeActions');
  const caller = useCaller(dispute.id);
  const { actions } = dispute;
  if (actions.length === 0) return null;
  return (
    <section aria-labelledby="actions-title">
      <h2 className="text-xl font-semibold" id="actions-title">
        {t('title')}
      </h2>
      <div className="mt-4 max-w-xl space-y-6">
        {caller.problem ? (
          <Alert live="assertive" tone="danger">
            {caller.problem}
          </Alert>
        ) : null}
        {actions.includes('accept') ? <Accept caller={caller} dispute={dispute} /> : null}
        {actions.includes('decide') ? (
          <AmountForm caller={caller} dispute={dispute} purpose="decide" />
        ) : (
          <>
            <MessageForm caller={caller} />
            <AmountForm caller={caller} dispute={dispute} purpose="propose" />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          {(['refund', 'escalate', 'withdraw'] as const)
            .filter((action) => actions.includes(action))
            .map((action) => (
              <Ending action={action} caller={caller} dispute={dispute} key={action} />
            ))}
        </div>
      </div>
    </section>
  );
}

interface ActionProps {
  dispute: DisputeView;
  caller: Caller;
}

function Accept({ dispute: { proposal, currency }, caller }: ActionProps): ReactNode {
  const t = useTranslations('payments.disputeActions');
  const formatMoney = useFormatMoney();
  if (!proposal) return null;
  const { amount } = proposal;
  return (
    <Button
      onClick={() => void caller.call('accept', 'actions', { action: 'accept', amount })}
      pending={caller.busy === 'accept'}
      tone="primary"
    >
      {t('accept', { amount: formatMoney({ currency, minor: amount }) })}
    </Button>
  );
}

interface WordsFieldProps {
  id: string;
  label: string;
  hint: string;
  text: string;
  onChange: (text: string) => void;
}

function WordsField({ id, label, hint, text, onChange }: WordsFieldProps): ReactNode {
  return (
    <Field hint={hint} id={id} label={label} required>
      {(control) => (
        <Textarea
          {...control}
          maxLength={MAX_DISPUTE_TEXT}
          name="text"
          onChange={(event) => onChange(event.target.value)}
          value={text}
        />
      )}
    </Field>
  );
}

function MessageForm({ caller }: Pick<ActionProps, 'caller'>): ReactNode {
  const t = useTranslations('payments.disputeActions');
  const [text, setText] = useState('');
  const chosen = useFiles();
  return (
    <form
      className="space-y-4"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        void caller.call('message', 'actions', { action: 'message', text, files: chosen.files });
      }}
    >
      <WordsField hint={t('messageHint')} id="dispute-message" label={t('message')} onChange={setText} text={text} />
      <FileField chosen={chosen} id="dispute-files" />
      <Button disabled={text.trim() === '' || chosen.isRefused} pending={caller.busy === 'message'} type="submit">
        {t('send')}
      </Button>
    </form>
  );
}

/** An amount: the proposal of a party, or the decision of a moderator with its reasons. */
function AmountForm({ dispute, caller, purpose }: ActionProps & { purpose: 'propose' | 'decide' }): ReactNode {
  const t = useTranslations('payments.disputeActions');
  const formatMoney = useFormatMoney();
  const { currency, wanted, paid, refunded } = dispute;
  const left = Math.min(wanted, paid - refunded);
  const amount = useAmount({ currency, start: left, least: purpose === 'decide' ? 0 : 1, most: left });
  const [text, setText] = useState('');
  const { minor } = amount;
  const isReady = minor !== null && (purpose === 'propose' || text.trim() !== '');
  return (
    <form
      className="space-y-4"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        if (purpose === 'decide') void caller.call('decide', 'decision', { amount: minor, text });
        else void caller.call('propose', 'actions', { action: 'propose', amount: minor });
      }}
    >
      <AmountField
        amount={amount}
        error={t('badAmount', { most: formatMoney({ currency, minor: left }) })}
        id={`dispute-${purpose}`}
        label={t(`${purpose}Amount`, { currency })}
      />
      {purpose === 'decide' ? (
        <WordsField hint={t('wordsHint')} id="decision-text" label={t('words')} onChange={setText} text={text} />
      ) : null}
      <Button
        disabled={!isReady}
        pending={caller.busy === purpose}
        tone={purpose === 'decide' ? 'primary' : undefined}
        type="submit"
      >
        {t(purpose)}
      </Button>
    </form>
  );
}

/** A step that cannot be undone, after a question. */
function Ending({ dispute, caller, action }: ActionProps & { action: 'refund' | 'escalate' | 'withdraw' }): ReactNode {
  const t = useTranslations('payments.disputeActions');
  const formatMoney = useFormatMoney();
  const [open, setOpen] = useState(false);
  const { currency, wanted, paid, refunded } = dispute;
  const amount = formatMoney({ currency, minor: Math.min(wanted, paid - refunded) });
  return (
    <Dialog
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button
            onClick={() => {
              setOpen(false);
              void caller.call(action, 'actions', { action });
            }}
            tone="primary"
          >
            {t(action, { amount })}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={t(`${action}Title`)}
      trigger={
        <Button pending={caller.busy === action} size="sm">
          {t(action, { amount })}
        </Button>
      }
    >
      <p>{t(`${action}Hint`)}</p>
    </Dialog>
  );
}
