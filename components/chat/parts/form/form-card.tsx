'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChatLimits } from '../../../../lib/chat/schema';
import { truncate } from '../../../../lib/protocol/a2a/cards/clean-text';
import { acceptsMode } from '../../../../lib/protocol/a2a/core/card';
import { toAnswerData } from '../../../../lib/protocol/forms/describe-form';
import type { Form, FormField, FormSource } from '../../../../lib/protocol/forms/form';
import { type FormRefusal, readForm } from '../../../../lib/protocol/forms/read-form';
import type { JsonValue } from '../../../../lib/protocol/json';
import { MAX_FORM_LABEL_LENGTH, MAX_FORM_MESSAGE_LENGTH } from '../../../../lib/protocol/limits';
import type { PartRef } from '../../../payments/offers/use-orders';
import { Button } from '../../../ui/controls/button';
import { Alert } from '../../../ui/display/alert';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { announce } from '../../../ui/overlays/announcer';
import { ReplyRulesContext } from '../../state/agent-item';
import { type Attachment, formatSize, sizeOf } from '../../state/attachments';
import type { CardReply } from '../../state/message-content';
import { CardFrame } from '../card-frame';
import { JsonCard } from '../json-card';
import { PlainText } from '../part-boundary';
import { FormControl } from './form-control';
import { saveFormDraft } from './form-drafts';
import { useFormatAnswer } from './format-answer';
import { useFirstFocus } from './use-first-focus';
import { useFormValues } from './use-form-values';

interface FormCardProps {
  source: FormSource;
  /** The data of the part, which is shown if it cannot be a form. */
  value: JsonValue;
  partRef: PartRef | null;
  agentName: string;
  /** Sends the answer on behalf of the user. Absent if the question has already been answered. */
  onReply?: (reply: CardReply) => void;
}

/** A question with typed fields. One that cannot be shown as a form is answered in words. */
export function FormCard({ source, value, partRef, agentName, onReply }: FormCardProps): ReactNode {
  const { form, refusal } = useMemo(() => readForm(source), [source]);
  const draftKey = partRef && `${partRef.taskId}.${partRef.id}.${partRef.part}`;
  const isOpen = onReply !== undefined;
  useEffect(() => {
    if (!isOpen && draftKey !== null) saveFormDraft(draftKey, null);
  }, [draftKey, isOpen]);
  if (!form) return <RefusedForm draftKey={isOpen ? draftKey : null} refusal={refusal} source={source} value={value} />;
  if (!onReply) return <ClosedForm form={form} />;
  return <OpenForm agentName={agentName} draftKey={draftKey} form={form} key={draftKey} onReply={onReply} />;
}

interface RefusedFormProps {
  source: FormSource;
  refusal: FormRefusal;
  value: JsonValue;
  /** Null if the question has already been answered. */
  draftKey: string | null;
}

function RefusedForm({ source, refusal, value, draftKey }: RefusedFormProps): ReactNode {
  const t = useTranslations('parts.form');
  const element = useRef<HTMLDivElement>(null);
  useFirstFocus(element, draftKey);
  const title = truncate(source.title, MAX_FORM_LABEL_LENGTH);
  const message = truncate(source.message, MAX_FORM_MESSAGE_LENGTH);
  return (
    <div className="space-y-3 outline-none" ref={element} tabIndex={-1}>
      <Question title={title} message={message} />
      <Alert tone={refusal === 'secret' || refusal === 'payment' ? 'warn' : 'info'}>{t(`refused.${refusal}`)}</Alert>
      <JsonCard value={value} />
    </div>
  );
}

/** What was asked. The answer is in the user's message below. */
function ClosedForm({ form }: { form: Form }): ReactNode {
  const t = useTranslations('parts.form');
  const asked = form.fields.filter(({ kind }) => kind !== 'fixed');
  return (
    <CardFrame label={t('label')}>
      <div className="space-y-2 p-4">
        <Question message={form.message} title={form.title} />
        <ul aria-label={t('fields')} className="flex flex-wrap gap-1.5 text-xs text-muted">
          {asked.map(({ key, label, group }) => (
            <li className="rounded-sm bg-sunken px-2 py-0.5 [overflow-wrap:anywhere]" key={key}>
              <UntrustedText text={group === '' ? label : `${group}: ${label}`} />
            </li>
          ))}
        </ul>
      </div>
    </CardFrame>
  );
}

function Question({ title, message, id }: { title: string; message: string; id?: string }): ReactNode {
  return (
    <div className="space-y-1 empty:hidden" id={id}>
      {title ? (
        <p className="text-base font-semibold break-words">
          <UntrustedText text={title} />
        </p>
      ) : null}
      {message ? <PlainText text={message} /> : null}
    </div>
  );
}

interface OpenFormProps {
  form: Form;
  draftKey: string | null;
  agentName: string;
  onReply: (reply: CardReply) => void;
}

function OpenForm({ form, draftKey, agentName, onReply }: OpenFormProps): ReactNode {
  const t = useTranslations('parts.form');
  const id = useId();
  const values = useFormValues(form, draftKey);
  const { element, faults } = values;
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const tFiles = useTranslations('chat.attachments');
  const rules = useContext(ReplyRulesContext);
  const inWords = useFormatAnswer();
  useFirstFocus(element, draftKey);
  const count = Object.keys(faults).length;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isSent) return;
    const checked = values.check();
    if (!checked.ok) {
      announce(t('faults', { count: Object.keys(checked.faults).length }), 'assertive');
      return;
    }
    const data = toAnswerData(form, checked.values);
    const tooLarge = rules && sizeProblem({ data, files: checked.files }, rules.limits, tFiles);
    setProblem(tooLarge);
    if (tooLarge) {
      announce(tooLarge, 'assertive');
      return;
    }
    setSent(true);
    const readsData = acceptsMode(rules?.agent.inputModes ?? [], 'application/json');
    const text = readsData ? '' : inWords(form, checked.values);
    onReply({ data, files: checked.files, text });
  }

  return (
    <CardFrame className="-m-1.5 rounded-none border-0 p-1.5" label={t('label')}>
      <form
        aria-describedby={`${id}-question`}
        aria-label={t('from', { agent: agentName })}
        className="outline-none"
        noValidate
        onSubmit={submit}
        ref={element}
        tabIndex={-1}
      >
        <div className="space-y-5 pb-5">
          <Question id={`${id}-question`} message={form.message} title={form.title} />
          {groupsOf(form.fields).map(({ label, fields }) => (
            <Group
              key={`${label} ${fields[0]?.key}`}
              label={label}
              optional={fields.some(({ requiredWith }) => requiredWith !== null)}
            >
              {fields.map((field) => (
                <FormControl field={field} id={`${id}-${form.fields.indexOf(field)}`} key={field.key} values={values} />
              ))}
            </Group>
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3.5">
          <Button pending={isSent} tone="primary" type="submit">
            {form.submit ? <UntrustedText text={form.submit} /> : t('send')}
          </Button>
          <p className={problem || count > 0 ? 'text-danger' : 'text-muted'}>
            {problem ?? (count > 0 ? t('faults', { count }) : t('orInWords'))}
          </p>
        </div>
      </form>
    </CardFrame>
  );
}

/** Returns the text of the error for an answer to a form that is too large; null if its size is valid. */
function sizeProblem(
  { data, files }: { data: object; files: readonly Attachment[] },
  limits: ChatLimits,
  t: ReturnType<typeof useTranslations<'chat.attachments'>>,
): string | null {
  if (files.length > limits.files) return t('tooMany', { most: limits.files, count: files.length });
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (total > limits.fileBytes)
    return t('tooLarge', { size: formatSize(total, t), most: formatSize(limits.fileBytes, t) });
  const bytes = new TextEncoder().encode(JSON.stringify({ data, files })).length;
  return bytes > limits.messageBytes ? t('messageTooLarge', { size: formatSize(bytes, t) }) : null;
}

/** `optional`: the group may be empty as a whole. */
function Group({ label, optional, children }: { label: string; optional: boolean; children: ReactNode }): ReactNode {
  const t = useTranslations('ui.field');
  if (label === '') return <div className="space-y-5">{children}</div>;
  return (
    <fieldset className="min-w-0 space-y-4 rounded-md border border-line px-4 pt-1 pb-4">
      <legend className="-ms-1 px-1 text-sm font-semibold break-words">
        <UntrustedText text={label} />
        {optional ? <span className="font-normal text-muted"> {t('optional')}</span> : null}
      </legend>
      {children}
    </fieldset>
  );
}

/** Returns the fields in order, those of one group together. */
function groupsOf(fields: readonly FormField[]): { label: string; fields: FormField[] }[] {
  const groups: { label: string; fields: FormField[] }[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last?.label === field.group) last.fields.push(field);
    else groups.push({ label: field.group, fields: [field] });
  }
  return groups;
}
