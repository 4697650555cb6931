'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { TopUpView } from '@/lib/payments/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';
import { parseMoney } from './format-money';

const currencies = ['EUR', 'USD', 'GBP', 'CHF', 'JPY'];

/** Puts money into the wallet: test credits at once, real money on the page of the payment provider. */
export function TopUpForm({ test }: { test: boolean }): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    path: '/api/wallet/top-ups',
    check: faultsIn,
    toBody: ({ currency = '', amount = '' }) => ({ currency, amount: parseMoney(amount, currency) ?? 0 }),
    onDone(body, sent) {
      const { redirectUrl } = body as TopUpView;
      if (redirectUrl && /^https?:\/\//.test(redirectUrl)) {
        window.location.assign(redirectUrl);
        return 'leaving';
      }
      sent.reset();
      toast({ tone: 'good', text: test ? 'The test credits are in your wallet.' : 'The top-up is being processed.' });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap items-start gap-4">
        <Field
          className="w-40"
          error={faults.amount}
          hint="1.00 to 1,000.00"
          id="top-up-amount"
          label="Amount"
          required
        >
          {(control) => <Input {...control} autoComplete="off" inputMode="decimal" name="amount" />}
        </Field>
        <Field hint="of the wallet" id="top-up-currency" label="Currency" required>
          {(control) => (
            <Select {...control} name="currency">
              {currencies.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Button pending={pending} tone="primary" type="submit">
        {test ? 'Add test credits' : 'Top up'}
      </Button>
    </form>
  );
}

function faultsIn({ amount = '', currency = '' }: Fields): Faults {
  const minor = parseMoney(amount, currency);
  if (minor === null) return { amount: 'Enter an amount in figures, such as 20.00.' };
  return minor < 100 || minor > 100_000 ? { amount: 'This is not between 1.00 and 1,000.00.' } : {};
}
