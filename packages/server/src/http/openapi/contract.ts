/** What the contract says about itself, read from its sources: see `descriptions.ts`. */
export interface Contract {
  readonly groups: { readonly [group: string]: GroupDocs }
  /** By the name of the message's type. */
  readonly messages: { readonly [name: string]: MessageDocs }
}

/** What the comments of the contract say about a group of routes. */
export interface GroupDocs {
  readonly description: string
  readonly routes: { readonly [name: string]: RouteDocs }
}

/** A route, and the messages that it takes and gives: themselves, or as the elements of a list or map. */
export interface RouteDocs {
  readonly description: string
  readonly query?: string
  readonly body?: string
  readonly answer?: string
  /** The method of the admin client. Absent: a device's route. */
  readonly call?: string
}

/** What the comments of the contract say about a message and its members. */
export interface MessageDocs {
  readonly description: string
  readonly members?: { readonly [name: string]: MemberDocs }
  /** It is one of several messages, each of which its schema names. */
  readonly isUnion?: true
  /** It has any names as members. */
  readonly isMap?: true
  /** The message that the values of a map are. */
  readonly values?: string
}

/** What the comments of the contract say about a member of a message. */
export interface MemberDocs {
  readonly description: string
  /** The message that the member is, or is a list or map of. */
  readonly message?: string
}
