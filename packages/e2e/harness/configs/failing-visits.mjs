// A source whose query always fails.
import { defineSource } from '@godwit/server'

export default {
  sources: [
    defineSource({ name: 'City', partition: 'app', pollInterval: -1 }),
    defineSource({
      name: 'Visit',
      belongsTo: { city_id: 'City' },
      query: () => {
        throw new Error('The backend of visits is down.')
      },
    }),
  ],
}
