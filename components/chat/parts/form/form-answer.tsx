'use client';

import { type ReactNode, useMemo } from 'react';
import type { Part } from '../../../../lib/protocol/a2a/core/model';
import { valuesOfAnswer } from '../../../../lib/protocol/forms/describe-form';
import { findFormSource } from '../../../../lib/protocol/forms/form';
import { readForm } from '../../../../lib/protocol/forms/read-form';
import type { JsonObject } from '../../../../lib/protocol/json';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { JsonCard } from '../json-card';
import { useAnsweredFields } from './format-answer';

interface FormAnswerProps {
  data: JsonObject;
  /** The agent's parts before the answer. */
  askedParts: Part[];
}

/** The user's answer to a form, with the labels of its question; an answer to an unknown question as data. */
export function FormAnswer({ data, askedParts }: FormAnswerProps): ReactNode {
  const form = useMemo(() => {
    const sources = askedParts.map((part) => (part.kind === 'data' ? findFormSource(part, true) : null));
    const source = sources.find((found) => found !== null);
    return source ? readForm(source).form : null;
  }, [askedParts]);
  const answered = useAnsweredFields();
  const fields = form ? answered(form, valuesOfAnswer(form, data)) : [];
  if (fields.length === 0) return <JsonCard value={data} />;
  return (
    <dl className="space-y-1.5 text-sm">
      {fields.map(({ key, label, text }) => (
        <div key={key}>
          <dt className="text-xs text-muted">
            <UntrustedText text={label} />
          </dt>
          <dd className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
