/**
 * Routes served by actors. For all other patterns an actor uses Pekko: futures by {@code
 * pipeToSelf}, streams by {@code ActorSource} and {@code ActorSink}.
 */
@NullMarked
package io.millrace.api.actor;

import org.jspecify.annotations.NullMarked;
