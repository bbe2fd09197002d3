/**
 * A transport for actors: commands to {@link io.millrace.api.actor.TransportActor}, which answers
 * with messages. Nothing of Pekko Streams is needed to call, to stream or to serve.
 */
@NullMarked
package io.millrace.api.actor;

import org.jspecify.annotations.NullMarked;
