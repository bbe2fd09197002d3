/** Authorisation in the engine: what a node's policy decided, kept for each path. */
@NullMarked
package io.millrace.actor.access;

import org.jspecify.annotations.NullMarked;
