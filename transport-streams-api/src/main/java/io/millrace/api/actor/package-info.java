/**
 * Routes that actors serve. Everything else an actor has of Pekko: futures by {@code pipeToSelf},
 * streams by {@code ActorSource} and {@code ActorSink}.
 */
@NullMarked
package io.millrace.api.actor;

import org.jspecify.annotations.NullMarked;
