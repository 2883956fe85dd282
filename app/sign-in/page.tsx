import { SignInView } from '@/components/people/sign-in-view';

export default function SignInPage() {
  return <SignInView />;
}
