/** Authorisation in the engine: the decisions of a node's policy, kept for each path. */
@NullMarked
package io.millrace.access.admission;

import org.jspecify.annotations.NullMarked;
