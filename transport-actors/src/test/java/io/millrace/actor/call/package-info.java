@NullMarked
package io.millrace.actor.call;

import org.jspecify.annotations.NullMarked;
