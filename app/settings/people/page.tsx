import { PeopleView } from '@/components/people/people-view';

export default function PeoplePage() {
  return <PeopleView />;
}
