package android.view;

/** Stands in for Android's class. */
public class ViewGroup extends View {}
