@NullMarked
package io.millrace.actor.pool;

import org.jspecify.annotations.NullMarked;
