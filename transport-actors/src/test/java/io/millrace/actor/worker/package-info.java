@NullMarked
package io.millrace.actor.worker;

import org.jspecify.annotations.NullMarked;
