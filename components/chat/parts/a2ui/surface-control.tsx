import { useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import { Checkbox, Input, Textarea } from '../../../forms/inputs';
import { Alert } from '../../../ui/display/alert';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import { type ControlKind, type ControlNode, FaultText, useBoundValue, useFault } from './control-parts';
import { SurfaceChoice } from './surface-choice';
import { useSurfaceState } from './use-surface';

/** A control of a surface, with its label and its fault. */
export function SurfaceControl({ node }: { node: ControlNode<ControlKind> }): ReactNode {
  const t = useTranslations('parts.form');
  switch (node.kind) {
    case 'secret':
      return <Alert tone="warn">{t('refused.secret')}</Alert>;
    case 'check-box':
      return <SurfaceCheckbox node={node} />;
    case 'choice':
      return <SurfaceChoice node={node} />;
    case 'slider':
      return <SurfaceSlider node={node} />;
    default:
      return <SurfaceField node={node} />;
  }
}

function SurfaceField({ node }: { node: ControlNode<'text-field' | 'date-time'> }): ReactNode {
  const t = useTranslations('parts.a2ui');
  const id = useId();
  const { isOpen } = useSurfaceState();
  const { value, change } = useBoundValue<string>(node);
  const { text, leave } = useFault(node);
  const label = node.label || node.accessibleName;
  const shared = {
    id,
    'aria-describedby': text === null ? undefined : `${id}-fault`,
    'aria-invalid': text === null ? undefined : true,
    'aria-label': label === '' ? t(node.kind === 'date-time' ? node.type : 'text') : undefined,
    disabled: !isOpen,
    onBlur: leave,
    onChange: (event: { target: { value: string } }) => change(event.target.value),
    value,
  };
  return (
    <div className="space-y-1.5">
      {label === '' ? null : (
        <label className="block text-sm font-medium" htmlFor={id}>
          <UntrustedText text={label} />
        </label>
      )}
      {node.kind === 'date-time' ? (
        <Input {...shared} className="max-w-64" max={node.max} min={node.min} type={node.type} />
      ) : node.variant === 'longText' ? (
        <Textarea {...shared} dir="auto" placeholder={node.placeholder} rows={3} />
      ) : (
        <Input
          {...shared}
          autoComplete="off"
          dir="auto"
          inputMode={node.variant === 'number' ? 'decimal' : undefined}
          placeholder={node.placeholder}
        />
      )}
      <FaultText id={`${id}-fault`} text={text} />
    </div>
  );
}

function SurfaceCheckbox({ node }: { node: ControlNode<'check-box'> }): ReactNode {
  const id = useId();
  const { isOpen } = useSurfaceState();
  const { value, change } = useBoundValue<boolean>(node);
  const { text, leave } = useFault(node);
  return (
    <div>
      <Checkbox
        aria-describedby={text === null ? undefined : `${id}-fault`}
        aria-invalid={text === null ? undefined : true}
        checked={value}
        disabled={!isOpen}
        label={<UntrustedText text={node.label || node.accessibleName} />}
        onBlur={leave}
        onChange={(event) => change(event.target.checked)}
      />
      <FaultText id={`${id}-fault`} text={text} />
    </div>
  );
}

function SurfaceSlider({ node }: { node: ControlNode<'slider'> }): ReactNode {
  const t = useTranslations('parts.a2ui');
  const id = useId();
  const { isOpen } = useSurfaceState();
  const { value, change } = useBoundValue<number>(node);
  const { text, leave } = useFault(node);
  const label = node.label || node.accessibleName || t('slider');
  return (
    <div className="space-y-1">
      <div className="flex items-baseline justify-between gap-3">
        <label className="text-sm font-medium" htmlFor={id}>
          <UntrustedText text={label} />
        </label>
        <output className="text-sm text-muted tabular-nums" htmlFor={id}>
          {Number(value.toFixed(4))}
        </output>
      </div>
      <input
        aria-describedby={text === null ? undefined : `${id}-fault`}
        className="h-8 w-full cursor-pointer accent-accent disabled:cursor-not-allowed touch:h-11"
        disabled={!isOpen}
        id={id}
        max={node.max}
        min={node.min}
        onBlur={leave}
        onChange={(event) => change(event.target.valueAsNumber)}
        step={node.step ?? defaultStep(node)}
        type="range"
        value={value}
      />
      <FaultText id={`${id}-fault`} text={text} />
    </div>
  );
}

/** Whole numbers, unless the range is small. */
function defaultStep({ min, max }: ControlNode<'slider'>): number | 'any' {
  return max - min >= 5 && Number.isInteger(min) ? 1 : 'any';
}
