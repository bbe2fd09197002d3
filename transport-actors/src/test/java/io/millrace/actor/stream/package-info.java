@NullMarked
package io.millrace.actor.stream;

import org.jspecify.annotations.NullMarked;
