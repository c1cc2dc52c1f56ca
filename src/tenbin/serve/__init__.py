"""The local page of ``tenbin serve``: files in, report out, on this machine alone.

=============  =====================================================================
limits         what a visitor may use up
security       token, hosts, origins and headers: who may ask, and what a browser may do
uploads        files of visitors, in the temporary folder
requests       what a visitor asks for, checked
jobs           the queue; one process per job, watched
worker         that process: scores, and writes the files of a report
page           the HTML of the page and its words
app            the addresses, and what each answers
server         the server around all of it, from its start to its end
=============  =====================================================================

Starlette and uvicorn (the extra ``serve``) are imported when a server is started.
"""
