package io.millrace.testkit.internal.patch;

import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * Receives calls that make calendars of this moment. In a simulation the moment is the node's, and
 * the zone, if none is named, is UTC. Public because rewritten classes call this class; not for use
 * in sources.
 */
public final class CalendarCalls {
  private CalendarCalls() {}

  private static <T extends Calendar> T now(T calendar, @Nullable TimeZone zone) {
    Surroundings simulated = SimulatedCalls.surroundings();
    if (simulated != null) {
      calendar.setTimeZone(zone == null ? TimeZone.getTimeZone("UTC") : zone);
      calendar.setTimeInMillis(simulated.currentTimeMillis());
    }
    return calendar;
  }

  /** {@link Calendar#getInstance()}. */
  public static Calendar calendar() {
    return now(Calendar.getInstance(), null);
  }

  /** {@link Calendar#getInstance(TimeZone)}. */
  public static Calendar calendar(TimeZone zone) {
    return now(Calendar.getInstance(zone), zone);
  }

  /** {@link Calendar#getInstance(Locale)}. */
  public static Calendar calendar(Locale locale) {
    return now(Calendar.getInstance(locale), null);
  }

  /** {@link Calendar#getInstance(TimeZone, Locale)}. */
  public static Calendar calendar(TimeZone zone, Locale locale) {
    return now(Calendar.getInstance(zone, locale), zone);
  }

  /** For {@code new GregorianCalendar()}. */
  public static GregorianCalendar gregorian() {
    return now(new GregorianCalendar(), null);
  }

  /** For {@code new GregorianCalendar(zone)}. */
  public static GregorianCalendar gregorian(TimeZone zone) {
    return now(new GregorianCalendar(zone), zone);
  }

  /** For {@code new GregorianCalendar(locale)}. */
  public static GregorianCalendar gregorian(Locale locale) {
    return now(new GregorianCalendar(locale), null);
  }

  /** For {@code new GregorianCalendar(zone, locale)}. */
  public static GregorianCalendar gregorian(TimeZone zone, Locale locale) {
    return now(new GregorianCalendar(zone, locale), zone);
  }
}
