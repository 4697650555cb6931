import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_CHECKS, MAX_A2UI_LABEL_LENGTH } from '../../limits';
import { evaluate, type Scope } from './evaluate';
import { isTrue } from './text-values';

/**
 * Returns the messages of the checks that fail; empty for one without a message. A condition without a value is about the
 * value of its control.
 */
export function failedChecks(props: JsonObject, value: JsonValue | undefined, scope: Scope): string[] {
  const checks = (Array.isArray(props.checks) ? props.checks : []).slice(0, MAX_A2UI_CHECKS).filter(isObject);
  return checks.flatMap((check) => {
    const condition = withValue(check.condition ?? check, value);
    const result = evaluate(condition, scope);
    // A function that is not known is checked by the agent.
    if (result === undefined || isTrue(result)) return [];
    const own = isObject(result) && typeof result.message === 'string' ? result.message : undefined;
    const message = typeof check.message === 'string' ? check.message : own;
    return [(message ?? '').slice(0, MAX_A2UI_LABEL_LENGTH)];
  });
}

function withValue(condition: JsonValue, value: JsonValue | undefined): JsonValue {
  if (!isObject(condition) || typeof condition.call !== 'string') return condition;
  const args = isObject(condition.args) ? condition.args : {};
  const hasValue = args.value !== undefined || args.values !== undefined || condition.value !== undefined;
  return hasValue ? condition : { ...condition, args: { ...args, value } };
}
