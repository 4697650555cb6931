import { type ReactNode, useId, useState } from 'react';
import type { overlapHours } from '@/lib/tokens/schema';
import { Button } from '../ui/button';
import { Select } from '../ui/select';

export type Overlap = (typeof overlapHours)[number];

interface RotateSecretProps {
  /** The app's name, for people who hear the page. */
  app: string;
  pending: boolean;
  /** Null: the old one works until it is removed. */
  onRotate: (overlap: Overlap | null) => void;
}

const overlaps: { value: Overlap | null; text: string }[] = [
  { value: 24, text: 'for 24 hours' },
  { value: 168, text: 'for 7 days' },
  { value: 1, text: 'for 1 hour' },
  { value: 0, text: 'no longer' },
  { value: null, text: 'until I remove it' },
];

/** A new secret for an app, and how long the one before goes on working. */
export function RotateSecret({ app, pending, onRotate }: RotateSecretProps): ReactNode {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <label htmlFor={id}>
        The old secret works <span className="sr-only">when {app} gets a new one</span>
      </label>
      <Select id={id} onChange={(event) => setChosen(Number(event.target.value))} value={chosen}>
        {overlaps.map(({ text }, index) => (
          <option key={text} value={index}>
            {text}
          </option>
        ))}
      </Select>
      <Button
        aria-label={`Make a new secret for ${app}`}
        onClick={() => onRotate(overlaps[chosen]?.value ?? null)}
        pending={pending}
      >
        Make a new secret
      </Button>
    </div>
  );
}
