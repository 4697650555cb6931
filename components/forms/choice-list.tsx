import { type ReactNode, useId } from 'react';

export interface Choice {
  value: string;
  label: string;
  /** The meaning of the choice, in a sentence. */
  hint: string;
}

export interface ChoiceListProps {
  name: string;
  legend: string;
  choices: readonly Choice[];
  /** The preselected choice. Without it, the user must choose. */
  defaultValue?: string;
  /** The reason why the choice is refused, for example because none was made. */
  error?: string | undefined;
  /** Called with each choice. */
  onChoose?: (value: string) => void;
}

/** A single choice among a few options with explanations: native radio buttons in one frame. */
export function ChoiceList({ name, legend, choices, defaultValue, error, onChoose }: ChoiceListProps): ReactNode {
  const errorId = useId();
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="text-sm font-medium">{legend}</legend>
      <div className="mt-1.5 divide-y divide-line rounded-md border border-line-strong bg-surface">
        {choices.map(({ value, label, hint }) => (
          <label
            className="flex min-h-11 cursor-pointer items-start gap-3 px-3 py-2.5 first:rounded-t-md last:rounded-b-md hover:bg-sunken has-checked:bg-accent-soft"
            key={value}
          >
            <input
              className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent touch:size-5"
              defaultChecked={value === defaultValue}
              name={name}
              onChange={onChoose && (() => onChoose(value))}
              required
              type="radio"
              value={value}
            />
            <span className="min-w-0 text-sm">
              <span className="block font-medium">{label}</span>
              <span className="block text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {error ? (
        <p className="mt-1.5 text-sm text-danger" id={errorId}>
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
