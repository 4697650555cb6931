import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import type { SECRET_OVERLAP_HOURS } from '@/lib/tokens/limits';
import { Select } from '../forms/inputs';
import { Button } from '../ui/controls/button';

export type Overlap = (typeof SECRET_OVERLAP_HOURS)[number];

interface RotateSecretProps {
  /** The app's name, for the accessible name. */
  app: string;
  pending: boolean;
  /** Null: the old one is valid until it is removed. */
  onRotate: (overlap: Overlap | null) => void;
}

const overlaps = [
  { value: 24, name: 'hours24' },
  { value: 168, name: 'days7' },
  { value: 1, name: 'hour1' },
  { value: 0, name: 'none' },
  { value: null, name: 'untilRemoved' },
] as const satisfies { value: Overlap | null; name: string }[];

/** Creates a new secret for an app, with an overlap during which the old one remains valid. */
export function RotateSecret({ app, pending, onRotate }: RotateSecretProps): ReactNode {
  const t = useTranslations('console.rotateSecret');
  const id = useId();
  const [chosen, setChosen] = useState(0);
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <label htmlFor={id}>
        {t.rich('overlap', { app, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
      </label>
      <Select id={id} onChange={(event) => setChosen(Number(event.target.value))} value={chosen}>
        {overlaps.map(({ name }, index) => (
          <option key={name} value={index}>
            {t(`overlaps.${name}`)}
          </option>
        ))}
      </Select>
      <Button
        aria-label={t('makeFor', { app })}
        onClick={() => onRotate(overlaps[chosen]?.value ?? null)}
        pending={pending}
      >
        {t('make')}
      </Button>
    </div>
  );
}
