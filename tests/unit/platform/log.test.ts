import { expect, it } from 'vitest';
import { errorFields } from '@/lib/platform/runtime/log';

it('LOG-1 a database client error is logged with its cause but without its arguments', () => {
  const message =
    'Invalid `find()` invocation:\n\n{\n  where: { cartText: "four pizzas for Ada" }\n}\n\nUnknown argument `cartId`.';
  const error = Object.assign(new Error(message), { name: 'PrismaClientValidationError' });
  const fields = errorFields(new Error('not kept', { cause: error }));
  expect(errorFields(error).error).toBe('PrismaClientValidationError: Unknown argument `cartId`.');
  expect(JSON.stringify([errorFields(error), fields])).not.toContain('Ada');
  expect(fields).toMatchObject({ error: 'Error: not kept', cause: 'Unknown argument `cartId`.' });
  expect(fields.stack).toContain('log.test');
});
