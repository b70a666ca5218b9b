/** The doc comments of the contract, extracted from its sources by `scripts/generate.ts`. */
export interface Contract {
  readonly groups: { readonly [group: string]: GroupDocs }
  /** By the name of the message's type. */
  readonly messages: { readonly [name: string]: MessageDocs }
}

/** The docs of a group of routes. */
export interface GroupDocs {
  readonly description: string
  readonly routes: { readonly [name: string]: RouteDocs }
}

/** The docs of a route, and the messages in its query, body and result: directly, or as elements of a list or map. */
export interface RouteDocs {
  readonly description: string
  readonly query?: string
  readonly body?: string
  readonly answer?: string
  /** The method of the admin client. Absent on a device's route. */
  readonly call?: string
}

/** The docs of a message and its members. */
export interface MessageDocs {
  readonly description: string
  readonly members?: { readonly [name: string]: MemberDocs }
  /** True for a union of messages, which its schema names. */
  readonly isUnion?: true
  /** True if its members may have any names. */
  readonly isMap?: true
  /** The message of the map's values. */
  readonly values?: string
}

/** The docs of a member of a message. */
export interface MemberDocs {
  readonly description: string
  /** The message of the member, or of its list or map elements. */
  readonly message?: string
}
