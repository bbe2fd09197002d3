@NullMarked
package io.millrace.actor.submission;

import org.jspecify.annotations.NullMarked;
