'use client';

import { type ReactNode, useState } from 'react';
import { toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';
import { parseMoney } from './money';

/** An amount as the user enters it. */
export interface EnteredAmount {
  text: string;
  setText: (text: string) => void;
  /** Minor units; null while the text is no amount within the bounds. */
  minor: number | null;
}

interface Bounds {
  currency: string;
  /** Minor units, all three. */
  start: number;
  least: number;
  most: number;
}

/** Returns an amount that the user can change. */
export function useAmount({ currency, start, least, most }: Bounds): EnteredAmount {
  const [text, setText] = useState(toDecimalText({ currency, minor: start }));
  const minor = parseMoney(text, currency);
  return { text, setText, minor: minor !== null && minor >= least && minor <= most ? minor : null };
}

interface AmountFieldProps {
  amount: EnteredAmount;
  id: string;
  label: string;
  /** Shown while the amount is not within its bounds. */
  error: string;
}

/** The field of an amount. */
export function AmountField({ amount: { text, setText, minor }, id, label, error }: AmountFieldProps): ReactNode {
  return (
    <Field error={minor === null ? error : null} id={id} label={label} required>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          inputMode="decimal"
          name="amount"
          onChange={(event) => setText(event.target.value)}
          value={text}
        />
      )}
    </Field>
  );
}
