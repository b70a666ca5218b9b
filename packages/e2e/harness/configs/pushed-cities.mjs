// Sources filled only by pushes.
import { defineSource } from '@godwit/server'

export default {
  sources: [
    defineSource({ name: 'City', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Visit', pollInterval: -1, belongsTo: { city_id: 'City' } }),
  ],
}
