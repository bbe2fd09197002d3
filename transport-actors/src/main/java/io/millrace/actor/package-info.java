/**
 * The actors of a node and their commands: the pool, its workers, their peers, their regions and
 * their slots of causality. Control plane: the actors own machines and handle their failures; calls
 * and packets never reach an actor as messages.
 */
@NullMarked
package io.millrace.actor;

import org.jspecify.annotations.NullMarked;
