@NullMarked
package io.millrace.actor.peer;

import org.jspecify.annotations.NullMarked;
